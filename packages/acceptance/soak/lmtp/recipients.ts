/** What happens to mail for each recipient: the reply to the client, and the folder that has the mail. */
export const recipients: {
  readonly [address: string]: { readonly reply: string; readonly folder?: string }
} = {
  'deliver@office.example': { reply: '250', folder: 'inbox' },
  'junk@office.example': { reply: '250', folder: 'junk' },
  'drop@office.example': { reply: '250' },
  'bounce@office.example': { reply: '550' },
  'shaky@office.example': { reply: '250', folder: 'inbox' },
}

/** Returns the function's action for a recipient. */
export function actionFor(address: string): string {
  const actions: { readonly [local: string]: string } = {
    junk: 'MOVE_TO_JUNK',
    drop: 'DROP',
    bounce: 'BOUNCE',
  }
  return actions[address.slice(0, address.indexOf('@'))] ?? 'DEFAULT'
}
