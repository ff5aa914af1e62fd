export type { SignableHead, SignableRequest, SignedBody } from './canonical-request.ts'
export type { SignatureProblem } from './signature-problem.ts'
export {
  type AccessKey,
  type SignatureCheck,
  type SignatureClaim,
  type Signer,
  signatureClaim,
  signatureHeaders,
  verifySignature,
} from './signature-v4.ts'
export { type SigningKeys, signingKeys } from './signing-keys.ts'
