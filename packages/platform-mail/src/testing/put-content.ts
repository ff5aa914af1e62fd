/**
 * Changes a mail with the message API at a control address, as a function does.
 * @param of returns the new content for the mail
 * @returns the error of the API, or undefined if it has accepted the content
 */
export async function putContent(
  control: string,
  id: string,
  of: (raw: string) => string,
): Promise<string | undefined> {
  const raw = Buffer.from(await (await fetch(`${control}/messages/${id}`)).arrayBuffer()).toString('latin1')
  const key = `${control}/objects/changes/${id}`
  await fetch(key, { method: 'PUT', body: Buffer.from(of(raw), 'latin1') })
  const reference = { content: { s3Reference: { bucket: 'changes', key: id } } }
  const response = await fetch(`${control}/messages/${id}`, {
    method: 'POST',
    body: JSON.stringify(reference),
  })
  if (response.ok) return undefined
  const { message } = (await response.json()) as { readonly message: string }
  return `${response.headers.get('x-amzn-errortype')}: ${message}`
}
