// #region sales
import { signalbox } from '@signalbox/core'
import { mailFlow } from '@signalbox/mail-flow'

const team = ['ann@office.example', 'bob@office.example']

export const handler = signalbox(
  mailFlow((mail, actions) => {
    const sales = mail.recipients.filter(address => address.toLowerCase() === 'sales@office.example')
    if (sales.length > 0) actions.drop(sales).default(team)
    return actions.default()
  }),
)
// #endregion sales
