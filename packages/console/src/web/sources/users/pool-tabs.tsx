import { addressOf, segment } from '../../address/address.ts'

const tabs = [
  ['users', '', 'Users'],
  ['messages', '/messages', 'Codes and texts'],
  ['sign-in', '/sign-in', 'Sign in as a test'],
] as const

/** The tabs of the pages about one user pool. */
export function PoolTabs({
  pool,
  current,
}: {
  readonly pool: string
  readonly current: (typeof tabs)[number][0]
}) {
  return (
    <nav class="tabs" aria-label="User pool">
      {tabs.map(([name, address, title]) => (
        <a
          key={name}
          href={addressOf(`/users/${segment(pool)}${address}`)}
          aria-current={name === current ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  )
}
