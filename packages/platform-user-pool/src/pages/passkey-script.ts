/** The only script on the hosted pages. It asks the browser for a passkey, because a form cannot do that. */
export const passkeyScript = {
  /** The script's path relative to the pages. */
  path: 'passkey.js',
  text: `const field = document.querySelector('[name=credential]')
field.form.addEventListener('submit', async event => {
  if (field.value !== '') return
  event.preventDefault()
  const failed = document.getElementById('failed')
  failed.hidden = true
  try {
    const { options, creation } = field.dataset
    const credential = creation
      ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(creation)) })
      : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(atob(options))) })
    field.value = JSON.stringify(credential.toJSON())
    field.form.submit()
  } catch {
    failed.hidden = false
  }
})
`,
} as const
