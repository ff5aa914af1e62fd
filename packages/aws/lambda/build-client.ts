// Builds the runtime client of AWS, if this machine can build it and has not done so before. Prints which client the
// tests use.
import { runtimeClient } from './runtime-client.ts'

console.log((await runtimeClient()).name)
