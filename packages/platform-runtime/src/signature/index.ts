export type { SignableRequest } from './canonical-request.ts'
export {
  type AccessKey,
  type SignableHead,
  type SignatureCheck,
  type SignatureClaim,
  type SignatureProblem,
  type Signer,
  signatureClaim,
  signatureHeaders,
  verifySignature,
} from './signature-v4.ts'
export { type SigningKeys, signingKeys } from './signing-keys.ts'
