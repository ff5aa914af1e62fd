import {
  askHook,
  harakaRequest,
  mtaHookRequest,
  registerMtaHook,
  stalwartRequest,
  type TestResponse,
} from './hook-requests.ts'
import type { MailServer } from './mail-server.ts'
import type { OfferedTestMail } from './offer-mail.ts'

/** What a mail server does with a mail after an answer. */
interface Outcome {
  readonly reply: string
  readonly recipients: readonly string[]
  readonly isFlagged: boolean
}

const accepted = '250 2.0.0 OK'
const junk = '+junk@'

/** Returns a mail server with mailboxes, which have a subaddress for junk. */
function serverOf(
  ask: (url: string, mail: OfferedTestMail & { readonly to: readonly string[] }) => Promise<Outcome>,
): MailServer {
  let last: Outcome | undefined
  return {
    async offer(url, { to = ['bob@office.example'], ...mail }) {
      last = await ask(url, { ...mail, to })
      return last.reply
    },
    folders: address =>
      last?.reply !== accepted
        ? []
        : [
            ...(last.recipients.includes(address)
              ? [last.isFlagged ? ('junk' as const) : ('inbox' as const)]
              : []),
            ...(last.recipients.includes(address.replace('@', junk)) ? ['junk' as const] : []),
          ],
  }
}

const refused = (reply: string): Outcome => ({ reply, recipients: [], isFlagged: false })

function mustBe(status: number, response: TestResponse): void {
  if (response.status !== status) throw new Error(`${response.status}: ${JSON.stringify(response.json)}`)
}

/** A mail server that does what Stalwart does. */
export const stalwartServer = (): MailServer =>
  serverOf(async (url, mail) => {
    const response = await askHook(url, stalwartRequest(mail))
    mustBe(200, response)
    const { action, response: said, modifications = [] } = response.json
    if (action === 'reject') return refused(`${said.status} ${said.message}`)
    if (action === 'discard') return refused(accepted)
    if (action !== 'accept') throw new Error(`The action ${action}`)
    const recipients = new Set(mail.to)
    let isFlagged = false
    for (const { type, value, name } of modifications) {
      if (type === 'deleteRecipient') recipients.delete(value)
      else if (type === 'addRecipient') recipients.add(value)
      else if (type === 'addHeader') isFlagged = name === 'X-Spam-Flag' && value === 'YES'
      else throw new Error(`The modification ${type}`)
    }
    return { reply: accepted, recipients: [...recipients], isFlagged }
  })

/** A mail server that speaks draft-degennaro-mta-hooks-01, as the milter bridge does. */
export const mtaHooksServer = (): MailServer =>
  serverOf(async (url, mail) => {
    const response = await askHook(url, mtaHookRequest(await registerMtaHook(url), mail))
    if (response.status === 204) return { reply: accepted, recipients: mail.to, isFlagged: false }
    mustBe(200, response)
    const { set = [], add = [], delete: deleted = [] } = response.json
    const setAt = (path: string) => set.find((each: { readonly path: string }) => each.path === path)?.value
    if (setAt('/action') === 'discard') return refused(accepted)
    if (setAt('/action') === 'reject') {
      const { code, enhancedCode, message } = setAt('/response')
      return refused(`${code} ${enhancedCode} ${message}`)
    }
    const recipients = [...mail.to]
    let isFlagged = false
    for (const { path, value } of add) {
      if (path === '/envelope/to') recipients.push(value.address)
      else isFlagged = path === '/message/headers' && value.name === 'X-Spam-Flag' && value.value === 'YES'
    }
    for (const { path } of deleted) recipients.splice(Number(/^\/envelope\/to\/(\d+)$/.exec(path)![1]), 1)
    return { reply: accepted, recipients, isFlagged }
  })

/** A mail server that does what Haraka and OpenSMTPD do, which know less than rspamd says. */
export const rspamdClient = (): MailServer =>
  serverOf(async (url, mail) => {
    const { json } = await askHook(url, harakaRequest(mail))
    const { action, messages, milter = {} } = json
    if (action === 'soft reject') return refused(`451 ${messages.smtp_message}`)
    if (action === 'reject') return refused(`550 ${messages.smtp_message}`)
    return {
      ...{ reply: accepted, recipients: mail.to },
      isFlagged: milter.add_headers?.['X-Spam-Flag'] === 'YES',
    }
  })
