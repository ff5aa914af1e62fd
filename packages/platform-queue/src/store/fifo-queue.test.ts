import { fifoQueueSuite } from '../testing/fifo-queue-suite.ts'
import { queueEngines } from '../testing/queue-engines.ts'

queueEngines.forEach(fifoQueueSuite)
