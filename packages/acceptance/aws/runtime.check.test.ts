import { runtimeClient } from './runtime-client.ts'
import { testUnder } from './runtime-suite.ts'

// The client is built here, because the names of the tests contain its name.
testUnder(await runtimeClient())
