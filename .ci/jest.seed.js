// Property tests use different values on each commit, but the same values each time they run on one commit. What passes
// on a contributor's machine therefore passes in CI, and a failure can be repeated. `SEED=7 npm run jest` uses another
// seed.
import fc from 'fast-check'

fc.configureGlobal({ seed: globalThis.propertySeed })
