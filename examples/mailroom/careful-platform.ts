import { memoryStore } from '@signalbox/core'
import { carefulHandler } from './careful.ts'
import { fetchMessage } from './fetch-message.ts'

/** The careful mailroom as a function of the platform. */
export const handler = carefulHandler(fetchMessage, memoryStore())
