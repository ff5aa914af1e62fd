// Builds the AWS runtime client if this machine can and has not done so before. Prints which client the tests use.
import { runtimeClient } from './runtime-client.ts'

console.log((await runtimeClient()).name)
