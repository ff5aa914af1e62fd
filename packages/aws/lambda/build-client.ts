// Builds AWS's runtime client if this machine can build it and has not done so. Prints which client the tests use.
import { runtimeClient } from './runtime-client.ts'

console.log((await runtimeClient()).name)
