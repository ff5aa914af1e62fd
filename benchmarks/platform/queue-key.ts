/** The key of the client whose signatures are checked. */
export const queueKey: { readonly accessKeyId: string; readonly secretAccessKey: string } = {
  accessKeyId: 'SBAKSHOPWEBSHOPWEBSH',
  secretAccessKey: 'a secret of this benchmark only',
}
