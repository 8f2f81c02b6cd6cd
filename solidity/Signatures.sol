// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.30;

/// Who made an ECDSA signature. Only the lower of the two signatures that recover one signer counts (EIP-2).
library Signatures {
    uint256 private constant HIGHEST_S = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    /// The zero address for anything that is not a signature.
    function signerOf(bytes32 digest, bytes calldata signature) internal pure returns (address) {
        if (signature.length != 65) return address(0);
        bytes32 s = bytes32(signature[32:64]);
        uint8 v = uint8(signature[64]);
        if (uint256(s) > HIGHEST_S || (v != 27 && v != 28)) return address(0);
        return ecrecover(digest, v, bytes32(signature[:32]), s);
    }
}
