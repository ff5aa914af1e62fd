import { useState } from 'preact/hooks'
import { plainText } from '../text/segments-of.ts'
import { Text } from '../text/text.tsx'

/** Adds a member with a name that the user enters. */
export function NewMember({ name, onAdd }: { readonly name: string; readonly onAdd: (key: string) => void }) {
  const [key, setKey] = useState('')
  const add = () => {
    if (key === '') return
    onAdd(key)
    setKey('')
  }
  return (
    <div class="row">
      <label class="field">
        <span>New name in {plainText(name)}</span>
        <input
          value={key}
          onInput={event => setKey(event.currentTarget.value)}
          onKeyDown={event => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
      </label>
      <button type="button" class="quiet" onClick={add}>
        Add
        {key !== '' && (
          <>
            {' '}
            <Text of={key} most={30} />
          </>
        )}
      </button>
    </div>
  )
}
