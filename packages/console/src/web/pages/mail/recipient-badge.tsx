import { Badge, type Tone } from '../../parts/badge.tsx'

const tones: Readonly<Record<string, Tone>> = {
  delivered: 'good',
  relayed: 'good',
  dropped: 'plain',
  bounced: 'bad',
  failed: 'bad',
  undecided: 'warn',
  delivering: 'warn',
}

/** What became of a mail for one recipient. */
export function RecipientBadge({ state, count = 1 }: { readonly state: string; readonly count?: number }) {
  return (
    <Badge tone={tones[state] ?? 'plain'}>
      {count > 1 && `${count} `}
      {state}
    </Badge>
  )
}
