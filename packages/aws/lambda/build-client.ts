// Builds AWS's runtime client if it can be built here and is not yet, and says which client the tests will use.
import { runtimeClient } from './runtime-client.ts'

console.log((await runtimeClient()).name)
