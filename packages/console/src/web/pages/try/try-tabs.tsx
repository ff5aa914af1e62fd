import { addressOf } from '../../address/address.ts'

const tabs = [
  ['/try/event', 'An event to a function'],
  ['/try/request', 'A request to a load balancer'],
] as const

/** The tabs of the pages that send test events and requests. */
export function TryTabs({ current }: { readonly current: (typeof tabs)[number][0] }) {
  return (
    <nav class="tabs" aria-label="Try it">
      {tabs.map(([address, title]) => (
        <a key={address} href={addressOf(address)} aria-current={address === current ? 'page' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  )
}
