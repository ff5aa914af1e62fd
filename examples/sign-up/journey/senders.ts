// #region senders
import type { Routes } from '@signalbox/user-pool'
import { outbox } from '../services.ts'

export const senders = {
  CustomEmailSender: ({ request }) =>
    outbox.mail(request.userAttributes.email, `Your code is ${request.code}`),
  CustomEmailSender_AccountTakeOverNotification: ({ userName, request }) =>
    outbox.mail(`${userName}@example.com`, `Was that you, from ${request.userAttributes.IP_ADDRESS}?`),
  CustomSMSSender: ({ request }) => outbox.sms(request.userAttributes.phone_number, `Code: ${request.code}`),
} satisfies Routes
// #endregion senders
