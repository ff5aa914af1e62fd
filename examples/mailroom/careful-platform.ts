import { memoryStore } from '@signalbox/core'
import { platformMessages } from '@signalbox/mail-flow/message-api'
import { carefulHandler } from './careful.ts'

const { fetchMessage } = platformMessages()

/** The handler of the careful mailroom, which runs on the platform. */
export const handler = carefulHandler(fetchMessage, memoryStore())
