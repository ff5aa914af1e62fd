// Property tests take other values on each commit, and the same values each time that they run on one commit: what
// passes on a contributor's machine passes in CI, and what fails can be run again. `SEED=7 npm run jest` takes others.
import fc from 'fast-check'

fc.configureGlobal({ seed: globalThis.propertySeed })
