import { CopyButton } from '../../parts/copy-button.tsx'
import { Text } from '../../text/text.tsx'

/** The names under which functions usually keep what the user has to answer. */
const codeNames = ['answer', 'code']

/** The parameters of a challenge. What the user has to answer comes first. */
export function Parameters({ of }: { readonly of: { readonly [name: string]: string } }) {
  const code = codeNames.map(name => of[name]).find(value => value !== undefined)
  const others = Object.entries(of).filter(([name]) => code === undefined || of[name] !== code)
  return (
    <>
      {code !== undefined && (
        <div class="actions">
          <strong class="code mono">
            <Text of={code} most={40} />
          </strong>
          <CopyButton label="Copy the code" text={() => code} />
        </div>
      )}
      {others.length > 0 && (
        <p class="faint">
          {others.map(([name, value], index) => (
            <span key={name}>
              {index > 0 && ', '}
              <Text of={name} most={60} />: <Text of={value} most={200} />
            </span>
          ))}
        </p>
      )}
    </>
  )
}
