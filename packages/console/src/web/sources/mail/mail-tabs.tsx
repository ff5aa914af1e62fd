import { addressOf } from '../../address/address.ts'

const tabs = [
  ['/mail', 'What became of mail'],
  ['/mail/mailboxes', 'Mailboxes'],
  ['/mail/send', 'Send a test mail'],
] as const

/** The tabs of the pages about mail. */
export function MailTabs({ current }: { readonly current: (typeof tabs)[number][0] }) {
  return (
    <nav class="tabs" aria-label="Mail">
      {tabs.map(([address, title]) => (
        <a key={address} href={addressOf(address)} aria-current={address === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
