"""What a user writes to measure with backtesting.py: `measure.py <strategy>` writes stats.json to $DEVFLOW_METRICS."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../fixtures/metrics"))
from backtesting import Backtest, Strategy
from backtesting.lib import crossover
from make import Cross, prices


class Idle(Strategy):
    def init(self):
        pass

    def next(self):
        pass


class Once(Idle):
    """Buys early and sells late, with a profit: no trade loses."""

    def next(self):
        if len(self.data) == 40:
            self.buy()
        elif len(self.data) == 600:
            self.position.close()


class Half(Cross):
    """As Cross, with less at stake: it falls less, and earns less."""

    def next(self):
        if crossover(self.fast, self.slow):
            self.buy(size=0.4)
        elif crossover(self.slow, self.fast):
            self.position.close()


class Broken(Idle):
    def next(self):
        raise ValueError(f"no price at {hex(id(self))} in {__file__}")


strategy = {"cross": Cross, "idle": Idle, "once": Once, "half": Half, "broken": Broken}[sys.argv[1]]
stats = Backtest(prices(), strategy, cash=10_000, commission=0.001, finalize_trades=True).run()
document = json.loads(stats.drop(["_strategy", "_equity_curve", "_trades"]).to_json(default_handler=str))
document["_trades"] = json.loads(stats["_trades"].drop(columns=["Tag"], errors="ignore").to_json(default_handler=str))
document["_equity_curve"] = json.loads(stats["_equity_curve"][["Equity"]].to_json())
with open(os.path.join(os.environ["DEVFLOW_METRICS"], "stats.json"), "w") as out:
    json.dump(document, out)
print(stats)
