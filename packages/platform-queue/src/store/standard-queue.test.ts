import { standardQueueEngines } from '../testing/queue-engines.ts'
import { standardQueueSuite } from '../testing/standard-queue-suite.ts'

standardQueueEngines.forEach(standardQueueSuite)
