"""gRPC between services: one way to serve, one way to call, one table of errors."""

from deepoj_kit.grpc.client import connect
from deepoj_kit.grpc.errors import Kind, Refusal, RemoteError, Translation, refuse, signed_in
from deepoj_kit.grpc.health import is_serving
from deepoj_kit.grpc.limits import BATCH_MESSAGE
from deepoj_kit.grpc.server import Server
from deepoj_kit.grpc.server_interceptor import call_span, refusal_of

__all__ = [
    "BATCH_MESSAGE",
    "Kind",
    "Refusal",
    "RemoteError",
    "Server",
    "Translation",
    "call_span",
    "connect",
    "is_serving",
    "refusal_of",
    "refuse",
    "signed_in",
]
