import { useState } from 'preact/hooks'
import { api, ask, visitor } from './api/api.ts'
import { useAction } from './api/use-answer.ts'
import { TextField } from './parts/field.tsx'
import { Form } from './parts/form.tsx'

/** A form that signs a visitor in with an access key. */
export function KeyForm() {
  const [id, setId] = useState('')
  const [secret, setSecret] = useState('')
  const signIn = useAction(async () => {
    await ask(api.post('/session', { body: { id: id.trim(), secret } }))
    visitor.value = (await ask(api.get('/session'))).name
  })
  return (
    <Form action={signIn} button="Sign in" busy="Signing in" isCard>
      <TextField label="Key" required autoComplete="username" spellcheck={false} value={id} onText={setId} />
      <TextField
        label="Secret"
        required
        type="password"
        autoComplete="current-password"
        value={secret}
        onText={setSecret}
      />
    </Form>
  )
}
