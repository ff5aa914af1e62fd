import { memoryStore } from '@signalbox/core'
import { carefulHandler } from './careful.ts'
import { fetchMessage } from './fetch-message.ts'

/** The handler of the careful mailroom, which runs on the platform. */
export const handler = carefulHandler(fetchMessage, memoryStore())
