/** The only script of the pages. It asks the browser for a passkey, because forms cannot. */
export const passkeyScript = {
  /** Beside the pages. */
  path: 'passkey.js',
  text: `const field = document.querySelector('input[data-options]')
field.form.addEventListener('submit', async event => {
  if (field.value !== '') return
  event.preventDefault()
  const failed = document.getElementById('failed')
  failed.hidden = true
  try {
    const options = JSON.parse(atob(field.dataset.options))
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
    const credential = await navigator.credentials.get({ publicKey })
    field.value = JSON.stringify(credential.toJSON())
    field.form.submit()
  } catch {
    failed.hidden = false
  }
})
`,
} as const
