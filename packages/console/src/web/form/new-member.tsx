import { useState } from 'preact/hooks'
import { TextField } from '../parts/field.tsx'
import { Text } from '../text/text.tsx'

/** A form that adds a member with a name that the user enters. */
export function NewMember({ name, onAdd }: { readonly name: string; readonly onAdd: (key: string) => void }) {
  const [key, setKey] = useState('')
  const add = () => {
    if (key === '') return
    onAdd(key)
    setKey('')
  }
  return (
    <div class="row">
      <TextField label={`New name in ${name}`} value={key} onText={setKey} onEnter={add} />
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
