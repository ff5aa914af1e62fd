import type { PoolMessage } from '@signalbox/platform-user-pool/console'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'

/** A list of codes and messages, latest first. */
export function PoolMessages({ messages }: { readonly messages: readonly PoolMessage[] }) {
  if (messages.length === 0)
    return <p class="faint">None waits. Sign-ups, resets and sign-ins with a second factor make some.</p>
  return (
    <ul class="texts">
      {messages.slice(0, 200).map((message, index) => (
        <li key={index} class="card">
          <div class="actions">
            {message.code !== undefined && (
              <>
                <strong class="code mono">
                  <Text of={message.code} most={40} />
                </strong>
                <CopyButton label="Copy the code" text={() => message.code ?? ''} />
              </>
            )}
            <span>
              {message.medium === 'EMAIL' ? 'E-mail' : 'SMS'} to <Text of={message.to} most={100} />
            </span>
            <span class="faint">
              <Text of={message.occasion} most={60} />, <Time at={message.at} />
            </span>
          </div>
          {message.subject !== undefined && (
            <p>
              <strong>
                <Text of={message.subject} />
              </strong>
            </p>
          )}
          <p class={message.text === undefined ? 'faint' : undefined}>
            {message.text === undefined ? 'A function sends it.' : <Text of={message.text} most={1000} />}
          </p>
        </li>
      ))}
    </ul>
  )
}
