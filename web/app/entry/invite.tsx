/** Where an invitation's link lands: who invites whom into what, and the one step to take, whoever opened it. */
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { acceptInvite, invitationOf, logIn, providerUrl, waysIn } from "../api/entry.ts"
import type { Invitation } from "../api/entry.ts"
import { useChange } from "../api/queries.ts"
import { asRefusal } from "../api/refusal.ts"
import { UnreadAlone } from "../frame/trouble.tsx"
import { Button, buttonClass } from "../ui/button.tsx"
import { Time } from "../ui/facts.tsx"
import { AccountEmail, faultOf, Field, FormFault, NewPasswordField } from "../ui/field.tsx"
import { Form } from "../ui/form.tsx"
import { Loading, Skeleton } from "../ui/parts.tsx"
import { EntryPage, Facts, TextLink } from "./entry-page.tsx"
import { mailedToken } from "./mailed.ts"
import { goOn, seemsSignedIn } from "./next.ts"

/** Unknown, used and expired invitations look alike. */
const Refused = ({ lost }: { readonly lost: boolean }) => (
  <EntryPage
    icon="warn" title={lost ? "Open the link in the mail again" : "This invitation does not work"}
    lead={lost
      ? "The address of this page no longer holds your invitation, so that nobody reads it over your shoulder."
      : "It was used before, was taken back, is older than seven days, or lost a piece on its way. Ask whoever invited you to send a new one."}
    foot={<p>Already in? {seemsSignedIn() ? <TextLink to="/">Go to the library</TextLink> : <TextLink to="/login">Sign in</TextLink>}</p>}
  />
)

interface StepProps {
  readonly invitation: Invitation
  readonly token: string
}

/** Otherwise the account's own workspace would open. */
const toWorkspace = ({ workspace_id }: Invitation) => goOn(`/?workspace=${encodeURIComponent(workspace_id)}`)

const StayAsYouAre = () => <a className={buttonClass("bare")} href="/">Stay as you are</a>

const NewAccount = ({ invitation, token }: StepProps) => {
  const { email, signed_in_as: other } = invitation
  const accept = useChange(acceptInvite, { quiet: true })
  const { data: ways } = useQuery(waysIn)
  return (
    <Form
      onSend={(field) => {
        const [name, password] = [field("name"), field("password")]
        accept.mutate({ token, asGuest: other === null, name, ...(password !== "" && { password }) }, { onSuccess: () => toWorkspace(invitation) })
      }}
    >
      {other !== null && (
        <p role="status">
          This browser is signed in as <strong className="font-medium break-words">{other}</strong>, and the invitation is for another address. Accepting it makes an account for the invited address, and signs this browser in to that one. To join with the account that you have, ask to be invited by its address.
        </p>
      )}
      <AccountEmail email={email} />
      <Field label="Your name" name="name" autoComplete="name" required maxLength={100} fault={faultOf(accept.error, "name")} />
      <NewPasswordField error={accept.error} label="Password, if you want one" required={false} />
      <FormFault error={accept.error} shown={["name", "password"]} />
      <Button type="submit" shape="filled" busy={accept.isPending || accept.isSuccess}>Accept the invitation</Button>
      {other === null
        ? ways?.identity_provider === true && <a className={buttonClass()} href={providerUrl(undefined)}>Accept with your organisation’s sign-in</a>
        : <StayAsYouAre />}
    </Form>
  )
}

const Join = ({ invitation, token }: StepProps) => {
  const accept = useChange(acceptInvite, { quiet: true })
  return (
    <div className="grid gap-4">
      <FormFault error={accept.error} />
      <Button shape="filled" busy={accept.isPending || accept.isSuccess} onClick={() => accept.mutate({ token, asGuest: false }, { onSuccess: () => toWorkspace(invitation) })}>
        Accept the invitation
      </Button>
    </div>
  )
}

const SignInFirst = ({ invitation, token }: StepProps) => {
  const { email, signed_in_as: other } = invitation
  const login = useChange(logIn, { quiet: true })
  const accept = useChange(acceptInvite, { quiet: true })
  const navigate = useNavigate()
  const next = `/invite?token=${encodeURIComponent(token)}`
  const join = () => accept.mutate({ token, asGuest: false }, { onSuccess: () => toWorkspace(invitation) })
  return (
    <>
      <p role="status">
        {other === null
          ? "This address has an account already. Sign in to it, and you are in."
          : <>This browser is signed in as <strong className="font-medium break-words">{other}</strong>, and the invitation is for another address. Sign in with that one.</>}
      </p>
      <Form onSend={(field) => login.mutate({ email, password: field("password") }, { onSuccess: join })}>
        <AccountEmail email={email} />
        <Field label="Password" type="password" name="password" autoComplete="current-password" required fault={faultOf(login.error, "password")} />
        <FormFault error={login.error ?? accept.error} shown={["password"]} />
        <Button type="submit" shape="filled" busy={login.isPending || accept.isPending || accept.isSuccess}>Sign in and accept</Button>
      </Form>
      <Button onClick={() => void navigate({ to: "/login", search: { next } })}>Sign in another way</Button>
      {other !== null && <StayAsYouAre />}
    </>
  )
}

const Invited = ({ token }: { readonly token: string }) => {
  const read = useQuery(invitationOf(token))
  const { data: invitation, error } = read
  if (error !== null && asRefusal(error).code === "invalid_token") return <Refused lost={false} />
  if (error !== null && asRefusal(error).code === "account_exists") {
    return <EntryPage icon="warn" title="Nobody can sign in with this address now" lead={asRefusal(error).message} />
  }
  if (error !== null) return <UnreadAlone of={read} />
  if (invitation === undefined) {
    return <EntryPage title="You are invited"><Loading what="the invitation"><div className="grid gap-3"><Skeleton className="h-10" /><Skeleton className="h-10" /></div></Loading></EntryPage>
  }
  const Step = !invitation.has_account ? NewAccount : invitation.signed_in_as === invitation.email ? Join : SignInFirst
  return (
    <EntryPage title="You are invited" lead={`${invitation.inviter ?? "Somebody"} invites you into a workspace, where you publish and read together.`}>
      <Facts
        facts={[
          ["Workspace", invitation.workspace],
          ["For", invitation.email],
          ["You will be", invitation.role === "admin" ? "An admin: you look after its members and settings" : "A member"],
          ["Good until", <Time key="until" at={invitation.expires_at} as="end" />]
        ]}
      />
      <Step invitation={invitation} token={token} />
    </EntryPage>
  )
}

export const Invite = () => {
  const token = mailedToken("/invite")
  return token === undefined ? <Refused lost /> : <Invited token={token} />
}
