import { ownLoop } from './own-loop.ts'
import { testUnder } from './runtime-suite.ts'

testUnder(ownLoop)
