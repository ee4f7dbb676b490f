"""gRPC between services: one way to serve, one way to call, one table of errors."""

from deepoj_kit.grpc.client import connect
from deepoj_kit.grpc.errors import Kind, Refusal, RemoteError, refuse
from deepoj_kit.grpc.probe import is_serving
from deepoj_kit.grpc.server import Server

__all__ = ["Kind", "Refusal", "RemoteError", "Server", "connect", "is_serving", "refuse"]
