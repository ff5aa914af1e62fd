import { orderSuite } from '../../testing/order-suite.ts'
import { inMemory } from '../../testing/queue-engines.ts'

orderSuite('SQLite', inMemory)
