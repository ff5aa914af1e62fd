import { Badge, type Tone } from '../../parts/badge.tsx'
import { plainText } from '../../text/segments-of.ts'

const tones: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  relayed: 'good',
  dropped: 'plain',
  bounced: 'bad',
  failed: 'bad',
  undecided: 'warn',
  delivering: 'warn',
}

/** A badge that shows the state of a mail for one recipient, or for `count` recipients. */
export function RecipientBadge({
  state,
  count,
}: {
  readonly state: string
  readonly count?: number | undefined
}) {
  return (
    <Badge tone={Object.hasOwn(tones, state) ? (tones[state] ?? 'plain') : 'plain'}>
      {count !== undefined && `${count} `}
      {plainText(state.slice(0, 60))}
    </Badge>
  )
}
