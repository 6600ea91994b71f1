import type { LoginAnswer, NewPasskey, PasskeyAnswer, PasskeyAsked } from "../wire";
import { ApiError } from "./api-error";
import { createCalls } from "./call";

/** A chunk of its own: most visits press none of its buttons. */

/** As the server writes it: bytes are base64url. */
type Named = { type: "public-key"; id: string };
type CreationJson = Omit<
  PublicKeyCredentialCreationOptions,
  "challenge" | "user" | "excludeCredentials"
> & {
  challenge: string;
  user: { id: string; name: string; displayName: string };
  excludeCredentials: Named[];
};
type RequestJson = Omit<PublicKeyCredentialRequestOptions, "challenge" | "allowCredentials"> & {
  challenge: string;
  allowCredentials: Named[];
};

const NONE = "This browser has no passkeys. Please use your password.";
const NOT_USED = "No passkey was used. Please try again, or use your password.";
const HERE_ALREADY = "This device has a passkey for your account already.";

const { call } = createCalls({
  fetch: (input, init) => fetch(input, init),
  onUnauthorized: () => undefined,
});

function fetchChallenge<T>(path: string, body: unknown = {}): Promise<T> {
  return call<T>("POST", `auth/passkeys/${path}`, { body, fallback: NOT_USED, keepSession: true });
}

/** Logs in with whichever passkey the browser has for this site. */
export async function logIn(secondStep: boolean): Promise<LoginAnswer> {
  const answer = await sign(await fetchChallenge<PasskeyAsked>("login/begin/"));
  return fetchChallenge<LoginAnswer>("login/", { ...answer, second_step: secondStep });
}

/** The word of one's own passkey before a change, as a form carries it. */
export async function confirm(): Promise<string> {
  return JSON.stringify(await sign(await fetchChallenge<PasskeyAsked>("confirm/")));
}

/** Makes a passkey and has it kept. */
export async function addPasskey(fresh: NewPasskey): Promise<void> {
  if (typeof PublicKeyCredential === "undefined") throw new ApiError(NONE, 0);
  const request = await fetchChallenge<PasskeyAsked>("begin/", fresh);
  const options = request.options as unknown as CreationJson;
  const publicKey: PublicKeyCredentialCreationOptions = {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: options.excludeCredentials.map(credentialDescriptor),
  };
  const credential = await publicKeyCredential(navigator.credentials.create({ publicKey }));
  const response = credential.response as AuthenticatorAttestationResponse;
  const { attestationObject, clientDataJSON } = response;
  await fetchChallenge("", answerOf(request, credential, { attestationObject, clientDataJSON }));
}

async function sign(request: PasskeyAsked) {
  if (typeof PublicKeyCredential === "undefined") throw new ApiError(NONE, 0);
  const options = request.options as unknown as RequestJson;
  const publicKey: PublicKeyCredentialRequestOptions = {
    ...options,
    challenge: bytes(options.challenge),
    allowCredentials: options.allowCredentials.map(credentialDescriptor),
  };
  const credential = await publicKeyCredential(navigator.credentials.get({ publicKey }));
  const response = credential.response as AuthenticatorAssertionResponse;
  const { authenticatorData, clientDataJSON, signature, userHandle } = response;
  const parts = { authenticatorData, clientDataJSON, signature, userHandle };
  return answerOf(request, credential, parts);
}

/** The authenticator's credential; an error for a customer who cancelled. */
async function publicKeyCredential(
  answer: Promise<Credential | null>,
): Promise<PublicKeyCredential> {
  const credential = await answer.catch((error: unknown) => {
    const isRegistered = error instanceof DOMException && error.name === "InvalidStateError";
    throw new ApiError(isRegistered ? HERE_ALREADY : NOT_USED, 0);
  });
  if (credential === null) throw new ApiError(NOT_USED, 0);
  return credential as PublicKeyCredential;
}

/** The parts of an answer that the server reads, whatever WebAuthn calls them. */
function answerOf(
  { challenge }: PasskeyAsked,
  { rawId, type }: PublicKeyCredential,
  response: Readonly<Record<string, ArrayBuffer | null>>,
): Omit<PasskeyAnswer, "credential"> & { credential: object } {
  const id = text(rawId);
  const texts = Object.entries(response).map(([name, buffer]) => [name, buffer && text(buffer)]);
  const credential = { id, rawId: id, type, extensions: {}, response: Object.fromEntries(texts) };
  return { challenge, credential };
}

function credentialDescriptor({ type, id }: Named): PublicKeyCredentialDescriptor {
  return { type, id: bytes(id) };
}

function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64url.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (byte) => byte.charCodeAt(0));
}

function text(buffer: ArrayBuffer): string {
  const binary = String.fromCharCode(...new Uint8Array(buffer));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
