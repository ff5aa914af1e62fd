/** What a look finds, or `otherwise` when the file or folder does not exist. Rejects when it exists and cannot be read. */
export async function ifThere<T, U>(look: Promise<T>, otherwise: U): Promise<T | U> {
  try {
    return await look
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return otherwise
    throw error
  }
}
