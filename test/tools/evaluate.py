"""An evaluator as users write it: it trades strategy.py with backtesting.py, and reports the newest result of results/."""
import json
import os

from backtesting import Backtest

# Before any code of the strategy runs.
metrics = os.environ.pop("DEVFLOW_METRICS")

import strategy
from make import prices

stats = Backtest(prices(), strategy.Strategy, cash=10_000, commission=0.001, finalize_trades=True).run()
document = json.loads(stats.drop(["_strategy", "_equity_curve", "_trades"]).to_json(default_handler=str))
document["_trades"] = json.loads(stats["_trades"].drop(columns=["Tag"], errors="ignore").to_json(default_handler=str))
os.makedirs("results", exist_ok=True)
with open("results/own.json", "w") as out:
    json.dump({"time": 2026, "stats": document}, out)
results = [json.load(open(os.path.join("results", name))) for name in os.listdir("results")]
newest = max(results, key=lambda result: result["time"])
with open(os.path.join(metrics, "stats.json"), "w") as out:
    json.dump(newest["stats"], out)
