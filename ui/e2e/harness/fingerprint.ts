import type { Visitor } from "./visitor";

/** A fingerprint reader that knows whoever touches it (Chrome's virtual authenticator). */
export async function withFingerprint(visitor: Visitor) {
  const devtools = await visitor.context.newCDPSession(visitor.page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    keys: async () =>
      (await devtools.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
    knows: (isUserVerified: boolean) =>
      devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
  };
}
