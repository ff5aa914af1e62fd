import type { userPoolRoutes } from '@signalbox/platform-user-pool/console'
import { apiOf } from '../../api/api.ts'

export const userPoolApi = apiOf<typeof userPoolRoutes>()
