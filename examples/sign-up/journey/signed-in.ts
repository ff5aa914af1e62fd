// #region signed-in
import type { Routes } from '@signalbox/user-pool'
import { outbox } from '../services.ts'

export const signedIn = {
  PostAuthentication: ({ userName, request }) => {
    if (request.newDeviceUsed) outbox.mail(`${userName}@example.com`, 'You signed in with a new device')
  },
} satisfies Routes
// #endregion signed-in
