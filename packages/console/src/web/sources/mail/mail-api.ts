import type { mailRoutes } from '@signalbox/platform-mail/console'
import { apiOf } from '../../api/api.ts'

export const mailApi = apiOf<typeof mailRoutes>()
