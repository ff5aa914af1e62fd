import { telemetry } from '@signalbox/telemetry'
import { handler as shop } from './none.ts'

export const handler = shop.use(telemetry())
