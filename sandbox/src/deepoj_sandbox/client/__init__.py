"""The agent's client, for asyncio programs.

    async with await connect("/run/deepoj-sandbox/agent.sock") as agent:
        async with await agent.open_box() as box:
            await box.put("main", executable, executable=True)
            outcome = await box.run(RunRequest(argv=("/app/main",)), stdin=data)

One connection does one thing at a time, and may be told meanwhile what is next; open one for each submission
that is judged at once. Closing it, or cancelling a call on it, kills what runs and destroys its boxes.
"""

from deepoj_sandbox.client.lent_box import Core
from deepoj_sandbox.client.output import Outcome, Output
from deepoj_sandbox.client.remote import Agent, RemoteBox, connect

__all__ = ["Agent", "Core", "Outcome", "Output", "RemoteBox", "connect"]
