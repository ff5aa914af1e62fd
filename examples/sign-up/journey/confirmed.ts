// #region confirmed
import type { Routes } from '@signalbox/user-pool'
import { newsletter } from '../services.ts'

export const confirmed = {
  PostConfirmation_ConfirmSignUp: async ({ request }) => {
    await newsletter.add(request.userAttributes.email)
  },
} satisfies Routes
// #endregion confirmed
