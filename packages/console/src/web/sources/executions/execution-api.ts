import type { executionRoutes } from '@signalbox/platform-invoke/console'
import { apiOf } from '../../api/api.ts'

export const executionApi = apiOf<typeof executionRoutes>()
