import fc from 'fast-check';

/** Property tests try the same cases in every run, unless DEVFLOW_TEST_SEED names others. */
fc.configureGlobal({ seed: Number(process.env.DEVFLOW_TEST_SEED ?? 20_260_103) });
