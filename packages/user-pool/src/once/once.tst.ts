import { memoryStore } from '@signalbox/core'
import { test } from 'tstyche'
import { once } from '../index.ts'

const store = memoryStore()

test('once() accepts a list of triggers and trigger sources', () => {
  once({ store, triggers: ['PostConfirmation', 'PreSignUp_SignUp', 'CustomEmailSender'] })
})

test('once() refuses unknown triggers, and triggers whose events contain secrets', () => {
  // @ts-expect-error Type '"UserMigration"' is not assignable to type
  once({ store, triggers: ['UserMigration'] })
  // @ts-expect-error Type '"VerifyAuthChallengeResponse_Authentication"' is not assignable to type
  once({ store, triggers: ['VerifyAuthChallengeResponse_Authentication'] })
  // @ts-expect-error Type '"PostConfirmations"' is not assignable to type
  once({ store, triggers: ['PostConfirmations'] })
})
