// #region migration
import { deny, type Routes, sameAnswer } from '@signalbox/user-pool'
import { directory } from '../services.ts'

export const migration = {
  UserMigration_Authentication: ({ userName, request }) => {
    const known = directory.get(userName)
    if (!known || !sameAnswer(request.password, known.password)) deny('Wrong name or password')
    return { userAttributes: { email: known.email, email_verified: 'true' }, finalUserStatus: 'CONFIRMED' }
  },
  UserMigration_ForgotPassword: ({ userName }) => {
    const known = directory.get(userName) ?? deny('Unknown user')
    return { userAttributes: { email: known.email, email_verified: 'true' }, messageAction: 'SUPPRESS' }
  },
} satisfies Routes
// #endregion migration
