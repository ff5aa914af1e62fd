import { afterAll } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { metricsSuite } from './testing/metrics-suite.ts'

const folder = temporaryFolder()
afterAll(() => folder[Symbol.dispose]())

metricsSuite('files', number => ({ dataDir: `${folder.path}/${number}` }), ['transaction', 'commit'])
